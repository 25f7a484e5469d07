/** What a card can be drawn for: beside a link, or on the screen of a phone. Sizes are in pixels. */
export const CARD_SHAPES = {
  wide: { width: 1200, height: 630 },
  tall: { width: 1080, height: 1920 },
} as const;

export const CARD_NAMES = ['wide', 'tall'] as const;
export type CardShape = (typeof CARD_NAMES)[number];
