declare module 'heic-decode' {
  export type HeicImage = {
    width: number;
    height: number;
    /** RGBA, 8 bits, upright, in the picture's colour space. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  };
  function decode(input: { buffer: Uint8Array }): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  namespace decode {
    /** Reads the headers of all pictures; decodes pixels only in `decode`, and frees memory in `dispose`. */
    function all(input: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }>;
  }
  export default decode;
}
