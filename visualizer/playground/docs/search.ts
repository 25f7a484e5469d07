/** What the search of the documents is made of: the builder writes the index and the page reads it. */

/** A part of a page below one heading. */
export type SearchSection = {
  /** Its address within the site. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

export const SEARCH_FIELDS = ['heading', 'text', 'page'] as const;
/** What a result shows. */
export const STORED_FIELDS = ['page', 'heading'] as const;
