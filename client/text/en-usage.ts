const number = (count: number): string => new Intl.NumberFormat('en').format(count);

export const en = {
  bytes: (used: string, most: string) => `${used} of ${most} used`,
  images: (used: number, most: number) => `${number(used)} of ${most === 1 ? '1 image' : `${number(most)} images`}`,
  full: (words: string) => `Full: ${words}`,
};
