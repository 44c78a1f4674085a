/** From these versions on, light-dark() is native. Compiled away, a subtree could not change its color-scheme. */
export const cssTarget = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];
