const names = ['Sam Vale', 'Kim Holm', 'Noa Lind', 'Robin Dahl', 'Alex Strand', 'Kaia Moen'];
const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a user at an example domain, with a password that every policy accepts. */
export function madeUpUser(): { name: string; email: string; password: string } {
  const random = crypto.getRandomValues(new Uint32Array(18));
  const name = names[(random[0] ?? 0) % names.length] ?? '';
  const letters = [...random].map(number => signs.charAt(number % signs.length)).join('');
  const [first = ''] = name.toLowerCase().split(' ');
  return {
    name,
    email: `${first}-${letters.slice(0, 6).toLowerCase()}@example.com`,
    password: `${letters.slice(6)}-aA7`,
  };
}
