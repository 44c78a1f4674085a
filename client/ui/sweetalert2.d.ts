// The build without its own style sheet: the looks are ours, and nothing injects a <style>.
declare module 'sweetalert2/dist/sweetalert2.esm.js' {
  export { default } from 'sweetalert2';
}
