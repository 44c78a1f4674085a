/** Replaced by the build (scripts/building/cli.mjs). */
declare const __VERSION__: string;

export const version = typeof __VERSION__ === 'undefined' ? '0.0.0' : __VERSION__;

export const userAgent = `gallery-cli/${version} (${process.platform}; node ${process.versions.node})`;
