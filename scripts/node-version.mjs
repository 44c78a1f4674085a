// Imported first, so that an old Node prints a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}. See https://nodejs.org/`);
  process.exit(1);
}
