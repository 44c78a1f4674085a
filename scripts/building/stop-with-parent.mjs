/**
 * Ends this process when npm, which started it by way of a shell, has ended: npm told to stop ends with its shell and
 * passes the signal no further, which would leave the server running with nobody to stop it.
 */
export function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
