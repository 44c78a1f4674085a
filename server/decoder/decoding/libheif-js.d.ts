/** The part of libheif's interface that is used here, as in the package's own libheif.d.ts. */
declare module 'libheif-js/wasm-bundle.js' {
  type Handle = { readonly handle: unique symbol };
  type Context = { readonly context: unique symbol };
  type Image = { readonly image: unique symbol };
  type Code = { value: number };
  type Channel = {
    id: Code;
    width: number;
    height: number;
    /** Bytes of a row. */
    stride: number;
    /** A view of the module's memory, valid until the image is released. */
    data: Uint8Array;
  };
  type Failed = { code: Code; message: string };

  const libheif: {
    ready?: Promise<unknown>;
    heif_context_alloc(): Context;
    heif_context_free(context: Context): void;
    heif_context_read_from_memory(context: Context, bytes: Uint8Array): Failed;
    heif_js_context_get_primary_image_handle(context: Context): Handle | Failed;
    heif_image_handle_release(handle: Handle): void;
    heif_image_handle_has_alpha_channel(handle: Handle): number;
    heif_js_decode_image2(
      handle: Handle,
      colorspace: Code,
      chroma: Code,
    ): { image: Image; channels: Channel[] } | Failed;
    heif_image_release(image: Image): void;
    heif_error_code: { heif_error_Ok: Code };
    heif_colorspace: { heif_colorspace_RGB: Code };
    heif_chroma: Record<
      | 'heif_chroma_interleaved_RGB'
      | 'heif_chroma_interleaved_RGBA'
      | 'heif_chroma_interleaved_RRGGBB_LE'
      | 'heif_chroma_interleaved_RRGGBBAA_LE',
      Code
    >;
  };
  export default libheif;
}
