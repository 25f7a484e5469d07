/** The methods behind the numbers of the report, and their limits. */
import type { Report } from './model.ts';

export const METHODS: Report['methods'] = [
  {
    title: 'Data',
    text: [
      'All figures come from the journals. Each line is chained to the one before by its hash, so a changed journal is detected. Each row of the tables names its journal, line and hash. The query of a number returns its rows, and the rows name the lines. Names of journals are relative to the folder that holds all of them.',
      'Unfinished games have no share of wins and no rating, but the actions of their players count. Talk of ghosts counts only in figures of requests. A meeting on its own has no winner and no ship.',
      'A persona is named by its model and name. A mind without a language model is named by its kind.',
    ],
  },
  {
    title: 'Intervals',
    text: [
      'All intervals hold the truth in 95 of 100 cases, if the model behind them is right. Ballots, messages and claims of one game depend on each other, and games with one seed share their dice. So games of one seed are one cluster, and the standard error is the error of a ratio of sums over clusters: the root of Σ(hitsᵢ − r·casesᵢ)² · C/(C − 1), divided by Σcasesᵢ, with r the ratio and C clusters [1].',
      'Shares have Wilson’s interval [2] with an effective number of cases [3]: cases, divided by the design effect error² / (r(1 − r)/cases), which is at least 1, and by (t/1.96)² with Student’s t for C − 1 degrees of freedom. If all or none are hits, each cluster counts as one case. Means have r ± t·error; probabilities are cut at 0 and 1. One cluster has no interval.',
      'The leaderboard has the shares of games won of “glassbox league show”: Wilson’s interval, with mirrored games counted as fewer or more than they are, by their correlation over all shares of a column (from 20 pairs upwards).',
      'A star marks figures of fewer than 30 clusters, and ratings that rest more on the prior than on games. Intervals are not corrected for multiple comparisons: of 20 comparisons without any difference, one looks like one. Pairs of personas are compared on their games (least squares, HC3), and their p-values are corrected for their number (Holm): overlapping intervals say nothing about a pair.',
    ],
  },
  {
    title: 'Ratings',
    text: [
      'One logistic model of all decided games: P(impostors win) = σ(β + mean skill of the impostors − mean skill of the crew), with a normal prior of one unit on each skill; β is the advantage of a side under the rules. The page shows 1500 + 400/ln 10 · (skill − mean skill of that role); the rating is the mean of both roles. Intervals come from the posterior (Laplace), and the correlation of mirrored games widens or narrows them. docs/statistics.md says how often they held the truth in simulated leagues.',
    ],
  },
  {
    title: 'Prediction',
    text: [
      'The same model is fitted to all games of the first 70 % of seeds, in reading order. It predicts each other game by σ(β + mean skill − mean skill) at the most probable skills. Errors are compared game by game with the errors of a constant prediction: the share of fitted games that the impostors won. For the calibration, games are ordered by the prediction and cut into five parts of equal size.',
    ],
  },
  {
    title: 'Power',
    text: [
      'The standard error of a difference of two personas is the root of (v₁ + v₂) · K/(K − 1), with v the variances of their ratings and K personas, because both are relative to a mean that includes them. The page shows the median over all pairs. The information of the games is 1/error² − 1/prior, and grows with their number. A difference is detected if it is 1.96 + 0.84 errors [4].',
    ],
  },
  {
    title: 'Persuasion',
    text: [
      'A message accuses whom the reader of claims finds accused in it: the score’s term “addressed” counts any message to somebody. All players of a tick speak and vote at the same time, so a ballot can follow only a message of an earlier tick. Causal figures come from forks: a fork without a change gives the same game to the byte, and a fork without a message shows the effect of that message. For offline minds that is exact; for models it holds for the drawn samples. Questions are a random sample only if “why” was asked about all messages.',
    ],
  },
  {
    title: 'Possible knowledge',
    text: [
      'An ideal observer follows every possible path of each player, by the sightings of one crewmate and the rules of the ship, and lists the teams of impostors that are still possible, all equally probable. It does not read messages, the Admin table or the task bar, so a crewmate may have known more.',
    ],
  },
  {
    title: 'Limits',
    text: [
      'Skill is relative to the personas in these games, to their prompts and rules, and to the seats of the schedule, so ratings of two reports cannot be compared. One crewmate decides less than one impostor, so skill as crew needs about five times the games.',
      'Offline minds are scripts: their deception was written by their authors. A model behind an endpoint may change while its name stays.',
      'The reader of claims knows English patterns, and was measured on a corpus with language models as annotators. Costs are those that the endpoint reports; the tables have no other prices.',
    ],
  },
];

export const SOURCES: readonly string[] = [
  'W. G. Cochran: Sampling Techniques, 3rd edition, 1977, sections 6.3 and 9A.2.',
  'E. B. Wilson: Probable inference, the law of succession, and statistical inference. JASA 22, 1927.',
  'E. L. Korn, B. I. Graubard: Confidence intervals for proportions with small expected number of positive counts estimated from survey data. Survey Methodology 24, 1998.',
  'J. Cohen: Statistical Power Analysis for the Behavioral Sciences, 2nd edition, 1988.',
  'G. W. Brier: Verification of forecasts expressed in terms of probability. Monthly Weather Review 78, 1950.',
];
