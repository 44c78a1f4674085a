export const en = {
  title: 'Video Player',
  // The heading is Arabic in every language, as the specification has it.
  heading: 'مشغّل فيديو من مزوّد سحابي',
  label: 'Video URL',
  placeholder: 'Paste a video link',
  clear: 'Clear',
  frameTitle: 'Video player',
  watched: {
    title: 'Last watched',
    clear: 'Clear list',
    play: (link: string) => `Play ${link}`,
    remove: (link: string) => `Remove ${link}`,
    removed: (count: number) => (count === 1 ? 'One link was removed.' : `${count} links were removed.`),
    undo: 'Undo',
  },
  notAVideoLink: 'This does not look like a video link.',
  accepted:
    'Paste a page link from YouTube, Vimeo, Dailymotion or Twitch, a link to a media file, or the address of another site that starts with http:// or https://.',
};
