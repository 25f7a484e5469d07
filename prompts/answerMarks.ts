/** Marks around an answer. Text in marks is a thought, unless every word of their name means an answer. */
import { COLOURS } from '../machines/types.ts';
import { listWords, MarkReader, type ParsedMark } from './marks.ts';

const ANSWER = /^(?:final|answer|output|respon[sd]|result|repl(?:y|ies)|submission)/;
/** The other words of marks and fields around an answer: of formats, tools, and our own. */
const AROUND =
  /^(?:json\d?|ya?ml|xml|html|tools?|calls?|toolcalls?|func(?:tion)?s?|invoke|param(?:eter)?s?|arg(?:ument)?s?|python|tag|constrain|message|content|text|code|se[pc]|box(?:ed)?|section|begin|start|end|of|my|your|the|data|payload|body|object|properties|input|structured|choices?|delta|root|item|solution|conclusion|decision|verdict|action|format|statement|speech|spoken|public|say|move|order|turn|round|tick|meeting|discussion|voting|assistant|model|agent|pad|unk|unused|p|pre|div|span|b|i|u|em|strong|br|hr|h|ul|li|summary|\d+)$/;
const TURN =
  /^(?:s|[be]o[stm]|inst|sys|im_(?:start|end)|(?:start|end)_?of_?\w+|(?:reserved|extra_id)_\w+|turn|user|human|system|assistant|model|call|return|end)$/;
const TOOL_TURN = /tool_?(?:response|result|output)|observation/;
/** The heading of another turn, where its marks are lost, or a control character. */
const NEXT_TURN =
  /(?:^|\n)[\s#*=~([-]{0,20}(?:user|human|assistant|system|player|model|instruction|input|question|q|game(?: ?master)?|host|narrator|moderator|пользователь|вы|用户|ユーザー|benutzer|usuario|utilisateur|(?:the )?engine[^\n]*|(?:next )?(?:tick|turn|round)(?: \d+[^\n]*)?)[\s*=~)\]-]{0,20}[:：>\n]|(?![\n\r\t])\p{Cc}/iu;
const OWN_TURN = /^[^\p{L}]*(?:assistant|model)?[^\p{L}]*$/iu;
export function isAnswerName(name: string, seat?: string): boolean {
  const words = listWords(name);
  const isKnown = (word: string) => ANSWER.test(word) || AROUND.test(word) || word === seat;
  return words.length > 0 && words.every(isKnown);
}

/* In characters. */
const LONGEST_HEADING = 64;

export class AnswerReader extends MarkReader {
  isOver = false;
  /** An object came before. */
  hasAnswer = false;
  /** The words since the last object, without thoughts. */
  lead = '';
  isInAnswer = false;
  #isBegun = false;
  readonly #seat: string | undefined;

  constructor(seat: string | undefined) {
    super();
    this.#seat = seat;
  }

  get isThought(): boolean {
    return this.open.some(({ isSure }) => isSure);
  }

  addWords(words: string): void {
    this.#isBegun ||= !OWN_TURN.test(words);
    if (this.isThought) return;
    this.isOver ||= this.hasAnswer && NEXT_TURN.test(this.lead.slice(-LONGEST_HEADING) + words);
    this.lead += words;
  }

  override read(mark: string, at: number, before: string): number | null {
    this.addWords(before);
    const from = mark.startsWith('/*') ? at : super.read(mark, at, before);
    this.#isBegun ||= from !== null || this.isThought;
    if (from === 0) this.lead = '';
    if (from === null && !this.isThought) this.lead += mark;
    return from;
  }

  protected override isUnknown({ mark, name, values, isToken, isClosing }: ParsedMark): boolean {
    if (COLOURS.some((one) => one !== this.#seat && listWords(values).includes(one))) return true;
    const isKnown = isAnswerName(name.replace(/^.*:/, ''), this.#seat) && !TOOL_TURN.test(name);
    const isAnswer = isKnown && listWords(name).some((word) => ANSWER.test(word));
    if (isAnswer) this.isInAnswer = !isClosing;
    if ((isAnswer && !isClosing) || /^[-=~*]/.test(mark)) this.open.length = 0;
    // The first mark may be the beginning of the own turn. In a channel, it is the end of the channel.
    else if (TURN.test(name) ? !isAnswer : isToken && !isKnown)
      this.isOver ||=
        (this.#isBegun || this.hasAnswer) && this.open.every(({ kind }) => kind !== 'channel');
    else return !isKnown && !/\s/.test(name);
    return false;
  }

  protected override isSure({ mark, stem, values, isTag }: ParsedMark): boolean {
    return isTag || (/^[^({]/.test(mark) && (stem ?? values) !== '');
  }
}
