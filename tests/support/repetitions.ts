/** Texts that each loop of a regular expression can repeat, one for each alternative. */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

const SIGNS = Array.from({ length: 95 }, (_, code) => String.fromCharCode(126 - code));

export function listRepetitions({ source, flags }: RegExp): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const plain = flags.replace(/[gy]/g, '');
  visitRegExpAST(new RegExpParser().parseLiteral(`/${source}/${flags}`), {
    onQuantifierEnter({ element, max }) {
      if (max === Number.POSITIVE_INFINITY) found.push([...new Set(write(element, plain))]);
    },
  });
  return found;
}

function write(element: AST.Element, flags: string): readonly string[] {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.flatMap(({ elements }) => writeAll(elements, flags));
    case 'Quantifier':
      return [...write(element.element, flags), ...(element.min === 0 ? [''] : [])];
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet': {
      const one = new RegExp(`^(?:${element.raw})$`, flags);
      return [SIGNS.find((sign) => one.test(sign)) ?? element.raw];
    }
    default:
      return [''];
  }
}

/** One after the other, each way of every part once. */
function writeAll(elements: readonly AST.Element[], flags: string): readonly string[] {
  return elements.reduce<readonly string[]>(
    (before, element) => {
      const parts = write(element, flags);
      const [first = ''] = before;
      const [usual = ''] = parts;
      return [...before.map((text) => text + usual), ...parts.slice(1).map((part) => first + part)];
    },
    [''],
  );
}
