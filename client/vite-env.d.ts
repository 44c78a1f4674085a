interface ImportMetaEnv {
  /** Base path of the API when it lives on another host, such as https://pictures.example/api. */
  readonly VITE_API_URL?: string;
}
