/** Stands for a replay whose evaluation allocates more than any limit on memory catches. */
process.once('message', () => {
  const text = 'x'.repeat(9_000);
  text.split('').join(text).split('').join('-').split('-');
});
