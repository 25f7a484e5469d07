/** Splits a marked message into sentences and clauses of a kind: statement, question, report, plan, supposition. */

/** A verb of a single player: the names before it are no list, unless a clause begins with them. */
const ALONE = '(?! (?:vented|was|is|has|killed|said|saw|told|claims|came)\\b)';
const AT_START =
  '(?<=(?:^|[.!?;:,] |\\b(?:both|that|since|because|when|while|think|as|and|of|either|between) )@\\w+(?: & @\\w+)*)';
const JOINTS: readonly (readonly [pattern: RegExp, joint: string])[] = [
  // "Red, Blue and Green"
  [/(?<=@\w+), (?=@\w+(?:, @\w+)*,? (?:and|&) @)/g, ' & '],
  [/(?<=@\w+ & @\w+),? (?:and|&) (?=@\w)/g, ' & '],
  // "Red and Blue were", "saw Red and Blue"
  [new RegExp(`${AT_START} (?:and|n|&) (?=@\\w)`, 'g'), ' & '],
  [new RegExp(`(?<=@\\w+),? (?:and|n|&) (?=@\\w+\\b${ALONE})`, 'g'), ' & '],
  // "red blue and white"
  [/(?<=@\w+) (?=@\w+ (?:and|n|&) @)/g, ' & '],
  [/(?<=\b(?:me|i|myself)) (?:and|n|&) (?=@\w)/g, ' & '],
  [/(?<=@\w+) (?:and|n|&) (?=(?:me|myself)\b)/g, ' & '],
  [
    /(?<=@\w+) (?:and|n|&) (?=i (?:were|both|had|have|are|did|went|split|ended|shared|share|in|at|#|together|moved)\b)/g,
    ' & ',
  ],
  [new RegExp(`${AT_START} (?:and|n|&) (?=i\\b)`, 'g'), ' & '],
  // "Admin, Storage, then Caf", "Reactor/Upper Engine"
  [
    /(?<=#\w+)(?:,? (?:and|&|or|then)(?: then)?(?: also)?(?: to)?(?: the)? |, (?:to )?|\/)(?=#\w)/g,
    ' & ',
  ],
];

/** Lists become one word each, so that commas separate clauses only: "@red & @blue", "#Admin & #Storage". */
export function joinLists(text: string): string {
  return JOINTS.reduce((joined, [pattern, joint]) => joined.replace(pattern, joint), text);
}

export function splitSentences(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?…])(?!\d)["')]*\s+|\n+|;\s+/)
    .filter((sentence) => sentence.trim() !== '');
}

const VOCATIVE =
  /^(?:@\w+(?: & @\w+)*(?:, +| +(?=(?:where|who|what|why|how|did you|were you|are you|can you|could you)\b)))?/;
const FILLER =
  /^(?:(?:and|but|so|then|well|ok|okay|also|additionally|wait|lol|dude|bro|guys|hey|now|or|yes|yeah|no),? +)*/;
const PEOPLE =
  '(?:@\\w+|you|u|anyone|anybody|someone|somebody|everyone|he|she|they|i|we|it|there|that|this|any|the|your|nobody|both|neither)';
const ASKS = new RegExp(
  `^(?:(?:where|who|whom|whose|what|why|how|which)\\b|anyone\\b|anybody\\b|when (?:did|was|were|do|is|have|has)\\b|(?:did|do|does|is|are|was|were|can|could|would|will|has|have|had|should|wouldn't|isn't|aren't|didn't|couldn't|shouldn't|don't|doesn't|weren't|wasn't) ${PEOPLE}\\b|can each\\b|could each\\b)`,
);
const TAG =
  /,? (?:right|weren't they|wasn't (?:he|she|it)|no|huh|yes|correct|isn't (?:it|that so)|aren't (?:you|they)|didn't (?:you|they))$/;
const GROUND =
  /^(?:@\w+(?: & @\w+)*,? )?(?:since|if|when|because|considering|given|as|regarding|seeing)\b/;

function isAsking(part: string): boolean {
  const bare = part.trim().replace(FILLER, '').replace(VOCATIVE, '').replace(FILLER, '');
  return ASKS.test(bare);
}

/** The statement in a sentence: "I was in Nav" of "I was in Nav, where were you?". Null for a question. */
export function findStatement(sentence: string): string | null {
  const isMarked = /\?["')\]]*$/.test(sentence.trim());
  const assured = /,? (?:ok|okay|alright|got it)\?+$/;
  if (assured.test(sentence.trim())) return sentence.trim().replace(assured, '');
  if (!isMarked) return isAsking(sentence) ? null : sentence;
  const text = sentence.trim().replace(/\?["')\]]*$/, '');
  if (TAG.test(text)) return null;
  const parts = text.split(
    /(?<=[,;:])\s+|\s+(?=(?:but|and|so) (?:where|who|what|why|how|did|do|can|could|were|was)\b)/,
  );
  const first = parts.findIndex(isAsking);
  if (first <= 0) return null;
  const before = parts.slice(0, first).join(' ');
  return GROUND.test(before) ? null : before.replace(/[,;:]$/, '');
}

/** A part of a sentence with one thing said in it. `link` is the word or sign that joins it to the one before. */
export type Clause = { readonly link: string; readonly text: string };

const SUBJECT =
  '(?:i|we|you|u|he|she|they|it|there|nobody|no one|someone|everyone|nothing|that|this|the|my|your|his|her|their|@\\w+(?: & (?:@\\w+|i|me))*|both|neither|multiple|several)';
/** Verbs that begin a clause with the previous subject. */
const VERB =
  '(?:was|were|am|is|been|saw|see|seen|noticed|passed|met|found|came|come|went|go|moved|move|walked|ran|left|entered|arrived|headed|returned|stayed|stood|did|done|finished|completed|fixed|started|killed|kill|vented|used|watched|witnessed|observed|caught|called|reported|invented|faked|trust|believe|vote|voted|can|could|did|have|had|has|will|later|then|never|quickly|immediately|submitted|swiped|scanned|enter|suspect|think|is|are|moving|working|hiding|gladly|just|confirmed|check)';
const LINKS = new RegExp(
  `(?:[,:()]| [-–—]+ |—|–|\\b(?:but|yet|so|because|bc|cuz|cause|while|whilst|whereas|although|though|unless|which|who|however|before|after|until|since|if|when|why|what|how|whether|as(?= (?:i|he|she|they|@\\w+|i'm|well)\\b)|where|than)\\b|(?<=\\S )(?<!\\b(?:place|time|last|thing|what|where|than|who|all|of|said|says|claim|claims|claimed|told|you|u|think|if|when|as|because|since|that|and|but|so|before|after|while|like|only|are|were|then|also) )(?<!~[\\d.]+ )(?<!@\\w+ )(?=i (?:was|did|went|saw|came|left|had|have|walked|fixed|found|been|never|am)\\b)|\\band(?= (?:also |then |later |now |both |can |that )?${SUBJECT}\\b(?! &))|\\band(?= (?:then |also |later )?${VERB}\\b)|\\bthen\\b|\\bthat(?= (?:${SUBJECT}|if)\\b))`,
  'g',
);

export function splitClauses(sentence: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let link = '';
  let from = 0;
  const add = (to: number) => {
    const text = sentence
      .slice(from, to)
      .trim()
      .replace(/[.!?…]+$/, '')
      .trim();
    if (text !== '') clauses.push({ link, text });
  };
  for (const match of sentence.matchAll(LINKS)) {
    add(match.index);
    const sign = match[0].trim();
    // "orange is lying i was in nav": a new clause without any sign.
    if (match[0] === '') {
      link = ',';
      from = match.index;
      continue;
    }
    // A comma and a word behind it are one link, and the word is the one that says more.
    const isEmpty = sentence.slice(from, match.index).trim() === '';
    link = isEmpty && link !== '' && /^[,:()–—-]+$/.test(sign) ? link : sign;
    from = match.index + match[0].length;
  }
  add(sentence.length);
  return clauses;
}

const SUPPOSING = /^(?:if|unless|suppose|imagine|assuming|maybe|perhaps|possibly|whether|say)\b/;
const SUPPOSED =
  /\b(?:might|may|could|would|possibly|perhaps|maybe|whether|if|wonder|imagine|suppose)\b|\bmust have\b|'d have\b/;
const PLANNED =
  /\b(?:will|going to (?!#)|gonna|plan|plans|planned|planning|want|wanted|wants|need|needs|have to|has to|about to|intend|lets|let's|should|must|please|shall|next task|next steps|tasks are|task is|assigned tasks|to do|on (?:my|the|his|her|their) way)\b|'ll\b/;

export function isSupposed({ link, text }: Clause): boolean {
  return SUPPOSING.test(text) || link === 'if' || link === 'unless' || SUPPOSED.test(text);
}

/** The text about past and present, up to a plan: "am in Admin and will go to Nav" is about Admin. */
export function cutPlans(text: string): string {
  const plan = PLANNED.exec(text);
  return plan === null ? text : text.slice(0, plan.index);
}

export const NEGATION =
  /\b(?:not|never|nobody|no one|none|neither|nor|without|nowhere|hardly)\b|n't\b/;

export function isDenied(clause: string, index: number): boolean {
  return NEGATION.test(clause.slice(0, index));
}
