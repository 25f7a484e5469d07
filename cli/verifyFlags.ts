/** The flags of `glassbox verify`, of which each kind of thing has some. */
export type VerifyFlags = {
  readonly jobs?: number;
  readonly store?: string;
  readonly journals?: string;
  /** Games of a league to replay; 0 of a journal judges it without a replay. */
  readonly replay?: number | 'all';
  readonly seed?: number;
  readonly discard?: boolean;
  readonly property?: readonly string[];
  readonly junit?: string;
  readonly page?: string;
  readonly explore?: number | true;
  readonly quiet?: boolean;
  readonly json?: boolean;
};
