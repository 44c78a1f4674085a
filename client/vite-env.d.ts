interface ImportMetaEnv {
  /** Base path of the API if it is on another host, such as https://pictures.example/api. */
  readonly VITE_API_URL?: string;
}
