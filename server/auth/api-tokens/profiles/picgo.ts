import { authorization, type Profile, type ProfileSource, uploadUrl } from './profile.ts';

/** The settings of PicGo for its plugin picgo-plugin-web-uploader, which expects the headers as a text with JSON. */
export function picgoProfile(source: ProfileSource): Profile {
  const settings = {
    picBed: {
      uploader: 'web-uploader',
      current: 'web-uploader',
      'web-uploader': {
        url: uploadUrl(source),
        paramName: 'images',
        jsonPath: 'images.0.url',
        // PicGo's command waits until its connections are closed.
        customHeader: JSON.stringify({ Authorization: authorization(source), Connection: 'close' }),
        customBody: '',
      },
    },
    picgoPlugins: { 'picgo-plugin-web-uploader': true },
  };
  return {
    filename: 'picgo.json',
    content_type: 'application/json',
    text: `${JSON.stringify(settings, null, 2)}\n`,
  };
}
