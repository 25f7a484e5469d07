/** The source: from where a page has its journal. */

/** What the page is to show. The lens is that of the data: nothing more can be seen than what is there. */
export type Source =
  | { readonly type: 'none' }
  | ({ readonly type: 'journal' } & Given)
  /** Lines come from the server that served the page; the lens is the widest that it gives. */
  | ({
      readonly type: 'live';
      /** People play: the lens is widened to the glass when it is over. */
      readonly opens?: boolean;
      /** All of it has happened already. */
      readonly isOver?: boolean;
    } & Given);

type Given = {
  readonly lens: string;
  readonly name: string;
  /** Lines that could not be read where the journal was. */
  readonly damaged: number;
};
