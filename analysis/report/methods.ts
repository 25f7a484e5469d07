/** The methods behind the numbers of the report, and their limits. */
import type { Report } from './model.ts';

export const METHODS: Report['methods'] = [
  {
    title: 'Data',
    text: [
      'Everything is counted of the journals: each line is chained by its hash to the one before, so that a journal which was changed is noticed. Each row of the tables names its journal, line and hash; the query of a number gives its rows, and these give the lines. Names of journals are relative to the folder that holds all of them.',
      'Games that no side has won are in no share of wins and in no rating, but in the counts of what players did. What ghosts say among themselves is in no figure but those of requests. A meeting on its own has no winner and no ship.',
      'A persona is named by its model and name; minds that are no language model stand there by their kind.',
    ],
  },
  {
    title: 'Intervals',
    text: [
      'All intervals hold the truth in 95 of 100 cases, if the model behind them is right. Ballots, messages and claims of one game are no independent cases, and games with one seed have the same dice. So games of one seed are one cluster, and the standard error is that of a ratio of sums over clusters: the root of Σ(hitsᵢ − r·casesᵢ)² · C/(C − 1), divided by Σcasesᵢ, with r the ratio and C clusters [1].',
      'Shares have Wilson’s interval [2] with an effective number of cases [3]: cases, divided by the design effect error² / (r(1 − r)/cases), which is never taken for less than 1, and by (t/1.96)² with Student’s t for C − 1 degrees of freedom. Where all or none are hits, each cluster counts as one case. Means have r ± t·error; probabilities are cut at 0 and 1. With one cluster there is no interval.',
      'Shares of games won in the leaderboard are those of “glassbox league show”: Wilson’s interval, in which games that mirror each other count for fewer or more than they are, as far as all shares of a column say that they go together (from 20 pairs upwards).',
      'A star marks figures of fewer than 30 clusters, and ratings that rest more on what is assumed of skills than on games. No interval is corrected for how many are looked at: of 20 comparisons without any difference, one looks like one.',
    ],
  },
  {
    title: 'Ratings',
    text: [
      'One logistic model of all decided games: P(impostors win) = σ(β + mean skill of the impostors − mean skill of the crew), with a normal prior of one unit on each skill; β is what the rules give to one side. Shown is 1500 + 400/ln 10 · (skill − mean skill of that role); the rating is the mean of both roles. Intervals are those of the posterior (Laplace); how far mirrored games go together widens or narrows them. docs/statistics.md has how often they held the truth in leagues that were drawn.',
    ],
  },
  {
    title: 'Prediction',
    text: [
      'Seeds in the order in which they were read; all games of the first 70 % are fitted by the same model, and each other game is predicted by σ(β + mean skill − mean skill) at the most probable skills. Errors are compared game by game with those of the share of fitted games that the impostors won. For the calibration, games are ordered by the prediction and cut into five parts of equal size.',
    ],
  },
  {
    title: 'Power',
    text: [
      'The standard error of a difference of two personas is the root of (v₁ + v₂) · K/(K − 1), with v the variances of their ratings and K personas, since both are held against the mean that they are a part of; shown is the median over all pairs. What games say is 1/error² − 1/prior, and grows with their number. A difference is told if it is 1.96 + 0.84 errors [4].',
    ],
  },
  {
    title: 'Persuasion',
    text: [
      'Accusations are those that the arbiter reads by its lexicon. All of a tick speak and vote at once, so a ballot can follow only what was said in an earlier tick. Causal figures come of forks: a fork without a change gives the same game to the byte, and one with a message taken back shows what that message did. For offline minds that is exact; for models it holds for the samples that were drawn. Questions are not drawn at random unless “why” was asked about all messages.',
    ],
  },
  {
    title: 'What could be known',
    text: [
      'An ideal observer follows every way that each player can have gone, by what one crewmate saw and the rules of the ship, and lists the teams of impostors that are still possible; all of them count alike. It does not read what was said, the Admin table or the task bar, so a crewmate may have known more.',
    ],
  },
  {
    title: 'Limits',
    text: [
      'Skill is relative to the personas in these games, to their prompts and rules, and to the seats that the schedule gave them; ratings of two reports can’t be compared. One crewmate decides less than one impostor, so skill as crew takes about five times the games.',
      'Offline minds are scripts: what they show of deception is what was written into them. A model behind an endpoint may change while its name stays.',
      'The reader of claims knows English patterns, and was measured on a corpus whose annotators are language models. Costs are as the endpoint says them; prices from elsewhere are not in the tables.',
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
