// The build without its style sheet: the styles are ours, and no <style> is injected.
declare module 'sweetalert2/dist/sweetalert2.esm.js' {
  export { default } from 'sweetalert2';
}
