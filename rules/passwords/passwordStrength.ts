export type PasswordLevel = 'none' | 'low' | 'medium' | 'high';

/** The scale of the meter: 35 or more is high, 20 to 34 medium, 0 to 19 low; below 0 there is no password. */
export function passwordLevel(score: number): PasswordLevel {
  if (score < 0) return 'none';
  if (score < 20) return 'low';
  return score < 35 ? 'medium' : 'high';
}

/** Points per bit of entropy, chosen so that 8 random characters of all kinds are medium and 12 are high. */
const pointsPerBit = 0.55;
/** A character that only continues a run (aaa, 123, qwe) is almost free to guess. */
const runWeight = 0.2;

/**
 * Estimates how hard a password is to guess: the number of independent characters times the entropy of each.
 * Common words, runs, keyboard rows and repeats count little. Empty is -1.
 */
export function passwordStrength(password: string): number {
  if (password === '') return -1;
  const text = password.normalize('NFKC');
  const bits = weightOf(foldYears(foldWords(foldRepeats(text)))) * Math.log2(alphabetOf(text));
  return Math.round(bits * pointsPerBit);
}

/** The number of candidates for each character. */
function alphabetOf(text: string): number {
  let size = 1;
  if (/\p{Ll}/u.test(text)) size += 26;
  if (/\p{Lu}/u.test(text)) size += 26;
  if (/\p{Nd}/u.test(text)) size += 10;
  if (/[ -/:-@[-`{-~]/.test(text)) size += 32;
  if (/[^\p{L}\p{Nd} -~]|[^\p{ASCII}]/u.test(text)) size += 60;
  return size;
}

/** `abcabcabc` counts as `abc` and a little. */
function foldRepeats(text: string): string {
  return text.replace(/(.{2,}?)\1+/gu, '$1');
}

/** Words at the top of every list of leaked passwords, each counted as two characters. */
const words =
  /passwor[dt]|passwort|qwert[yz]|letmein|welcome|admin|iloveyou|dragon|monkey|football|baseball|superman|batman|sunshine|princess|shadow|master|login|secret|trustno|hello|freedom|whatever|starwars|michael|summer|winter|spring|autumn|changeme|default|mooring|asdfgh|zxcvbn/gi;
const lookalikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function foldWords(text: string): string {
  const plain = text.replace(/[013457@$!]/g, sign => lookalikes[sign] ?? sign);
  let folded = '';
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(words)) {
    folded += text.slice(end, index) + word.charAt(0) + word.charAt(word.length - 2);
    end = index + word.length;
  }
  return folded + text.slice(end);
}

/** A year is one guess in a hundred: two digits. */
function foldYears(text: string): string {
  return text.replace(/(?<!\d)(19|20)\d\d(?!\d)/g, '29');
}

const rows = ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1234567890'];

/** The number of characters, with the predictable ones of a run counted as a fraction. */
function weightOf(text: string): number {
  const characters = [...text.toLowerCase()];
  let weight = 0;
  characters.forEach((character, at) => {
    weight += goesOn(characters[at - 1], character) ? runWeight : 1;
  });
  return weight;
}

function goesOn(before: string | undefined, character: string): boolean {
  if (before === undefined) return false;
  const step = (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  if (Math.abs(step) <= 1) return true;
  return rows.some(row => row.includes(before + character) || row.includes(character + before));
}
