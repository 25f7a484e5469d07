/** What the reader of claims finds in the corpus, counted by tests/analysis/claimsCorpus.test.ts: "npm run golden". */
export const CORPUS = { version: 1, heldOut: 233 } as const;

/** Hash of the reader that counted the recorded games. Their texts are not in the repository. */
export const RECORDED_BY = '088a50ee5c97dda0';

export const COUNTS = {
  development: {
    kept: {
      place: { right: 124, wrong: 0, missed: 8, neither: 95 },
      time: { right: 40, wrong: 0, missed: 3, neither: 146 },
      company: { right: 22, wrong: 0, missed: 2, neither: 156 },
      task: { right: 17, wrong: 0, missed: 3, neither: 161 },
      accusation: { right: 30, wrong: 0, missed: 4, neither: 146 },
      defence: { right: 24, wrong: 0, missed: 5, neither: 151 },
      vent: { right: 3, wrong: 0, missed: 0, neither: 176 },
      act: { right: 25, wrong: 0, missed: 4, neither: 154 },
    },
    recorded: {
      place: { right: 95, wrong: 1, missed: 8, neither: 56 },
      time: { right: 2, wrong: 0, missed: 0, neither: 109 },
      company: { right: 7, wrong: 0, missed: 0, neither: 106 },
      task: { right: 22, wrong: 1, missed: 1, neither: 89 },
      accusation: { right: 38, wrong: 0, missed: 10, neither: 69 },
      defence: { right: 2, wrong: 0, missed: 1, neither: 108 },
      vent: { right: 8, wrong: 0, missed: 0, neither: 103 },
      act: { right: 14, wrong: 0, missed: 0, neither: 99 },
    },
  },
  'held-out': {
    kept: {
      place: { right: 80, wrong: 2, missed: 9, neither: 87 },
      time: { right: 33, wrong: 0, missed: 0, neither: 120 },
      company: { right: 12, wrong: 2, missed: 8, neither: 124 },
      task: { right: 16, wrong: 1, missed: 4, neither: 127 },
      accusation: { right: 29, wrong: 1, missed: 4, neither: 112 },
      defence: { right: 8, wrong: 0, missed: 1, neither: 135 },
      vent: { right: 1, wrong: 0, missed: 0, neither: 143 },
      act: { right: 11, wrong: 0, missed: 2, neither: 132 },
    },
    recorded: {
      place: { right: 70, wrong: 9, missed: 12, neither: 42 },
      time: { right: 2, wrong: 0, missed: 0, neither: 87 },
      company: { right: 3, wrong: 0, missed: 1, neither: 85 },
      task: { right: 15, wrong: 0, missed: 2, neither: 72 },
      accusation: { right: 18, wrong: 5, missed: 3, neither: 67 },
      defence: { right: 2, wrong: 8, missed: 2, neither: 79 },
      vent: { right: 3, wrong: 3, missed: 0, neither: 83 },
      act: { right: 10, wrong: 2, missed: 3, neither: 77 },
    },
  },
} as const;
