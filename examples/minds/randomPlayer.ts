/** The shortest mind as a module: it does anything that the rules allow. */
type LegalChoices = { votes: string[]; targets: string[]; actions: object[] };

export default function decide({ choices }: { choices: LegalChoices }) {
  const pick = <T>(list: T[]): T | null => list[Math.floor(Math.random() * list.length)] ?? null;
  return {
    message: 'I was in Admin.',
    desire_to_speak: Math.floor(Math.random() * 11),
    target: pick(choices.targets),
    vote_action: pick(choices.votes),
    action: pick(choices.actions),
  };
}
