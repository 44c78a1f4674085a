/** The oldest browsers supported (docs/use/browsers.md): the last Safari of iOS 16, and Chromium and Firefox of its age. */
export const browsers = ['chrome111', 'edge111', 'firefox115', 'safari16.6'];
