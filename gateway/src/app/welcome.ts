import type { Credentials } from '../features/sandbox/index.ts'

/** Writes the message for a ready gateway. It has sandbox keys, so it goes to the terminal and never to a log. */
export function welcome(url: string, credentials: Credentials | undefined, signInLink?: string): string {
  if (credentials === undefined) return `\nKobo is ready at ${url}\n\n`
  const { apiKey, secretKey, contractCode, walletAccountNumber } = credentials
  return `
Kobo is ready at ${url}

  Base URL        ${url}
  API key         ${apiKey}
  Secret key      ${secretKey}
  Contract code   ${contractCode}
  Wallet account  ${walletAccountNumber}

  Start here      ${url}/
  Demo shop       ${url}/demo-shop
  Bank simulator  ${url}/simulator
  API reference   ${url}/docs
  Dashboard       ${signInLink ?? `${url}/dashboard`}
  Keys as JSON    ./kobo credentials

Ctrl-C stops everything.

`
}
