declare module 'heic-decode' {
  export type HeicImage = {
    width: number;
    height: number;
    /** RGBA, 8 bits, upright, in the picture's own colour space. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  };
  function decode(input: { buffer: Uint8Array }): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  namespace decode {
    /** Reads the headers of every picture in the file; pixels only when `decode` is called, memory freed by `dispose`. */
    function all(input: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }>;
  }
  export default decode;
}
