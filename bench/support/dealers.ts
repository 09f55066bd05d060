/** `count` accounts at one service, each a dealer with its own token. */
export const oneDealerEach = (count: number) => {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const token = (n: number) => `token-of-dealer-${n}`;
  return {
    /** The service's dealers. */
    dealers: numbers.map((n) => ({ name: `dealer${n}`, token: token(n) })),
    accounts: (baseUrl: string): Record<string, object> =>
      Object.fromEntries(
        numbers.map((n) => [
          `dealer${n}`,
          { baseUrl, auth: { kind: 'bearer', secretEnv: `TOKEN_OF_DEALER_${n}` } },
        ]),
      ),
    env: Object.fromEntries(numbers.map((n) => [`TOKEN_OF_DEALER_${n}`, token(n)])),
  };
};
