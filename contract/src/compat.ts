/**
 * Rules of Monnify's API that older clients break, and that can be relaxed for a merchant. All are off by default; the
 * operator switches them on.
 */
export const COMPAT_SETTINGS = {
  transfersWithoutName: 'single transfers may lack `destinationAccountName`; the name at the bank is used',
  basicAuthentication: 'every route accepts API key and secret key (`Basic`) in place of an access token',
  accountsWithoutIdentity: 'version 1 of reserved accounts accepts customers without BVN and NIN',
  monnifySignature: 'webhooks carry their signature in `monnify-signature` too',
} as const
export type CompatSetting = keyof typeof COMPAT_SETTINGS
export const COMPAT_NAMES = Object.keys(COMPAT_SETTINGS) as readonly CompatSetting[]

/** A published client of Monnify's API, and the settings it needs. */
export interface ClientProfile {
  readonly client: string
  readonly needs: readonly CompatSetting[]
}

/** The profiles of clients, by the name that `kobo merchant set --compat` takes. */
export const CLIENT_PROFILES = {
  php: { client: 'Monnify-PHP-SDK (official)', needs: ['accountsWithoutIdentity', 'monnifySignature'] },
  node: { client: 'monnify-nodejs-lib (official)', needs: ['accountsWithoutIdentity', 'monnifySignature'] },
  java: {
    client: 'Monnify-java-sdk (official)',
    needs: ['transfersWithoutName', 'accountsWithoutIdentity', 'monnifySignature'],
  },
  python: { client: 'monnify-python (official)', needs: ['transfersWithoutName', 'monnifySignature'] },
  go: { client: 'Monnify-Go-Wrapper (official)', needs: ['transfersWithoutName', 'monnifySignature'] },
  woocommerce: { client: 'Monnify Official for WooCommerce', needs: ['monnifySignature'] },
  mcp: { client: 'Monnify MCP server (official)', needs: [] },
  browser: { client: 'browser wrappers: react, angular, vue, js, ts', needs: [] },
  mobile: { client: 'Android, iOS, Flutter and React Native SDKs', needs: [] },
  'laravel-henryejemuta': {
    client: 'henryejemuta/laravel-monnify',
    needs: ['basicAuthentication', 'transfersWithoutName', 'accountsWithoutIdentity', 'monnifySignature'],
  },
  'laravel-triverla': {
    client: 'Triverla/laravel-monnify',
    needs: ['basicAuthentication', 'transfersWithoutName', 'accountsWithoutIdentity', 'monnifySignature'],
  },
  gomonnify: {
    client: 'jcobhams/gomonnify',
    needs: ['basicAuthentication', 'transfersWithoutName', 'accountsWithoutIdentity', 'monnifySignature'],
  },
  teamapt: {
    client: 'samkayz/teamapt-monnify',
    needs: ['basicAuthentication', 'transfersWithoutName', 'accountsWithoutIdentity', 'monnifySignature'],
  },
  'easy-monnify': {
    client: 'Rigantech/easy_monnify',
    needs: ['transfersWithoutName', 'accountsWithoutIdentity', 'monnifySignature'],
  },
  'php-monnify-class': {
    client: 'bossoff/php-monnify-class',
    needs: ['accountsWithoutIdentity', 'monnifySignature'],
  },
} as const satisfies Readonly<Record<string, ClientProfile>>

export type ClientName = keyof typeof CLIENT_PROFILES

/** The settings for a name: the setting with this name, or those that the client needs. Undefined for other names. */
export function compatSettingsOf(word: string): readonly CompatSetting[] | undefined {
  const name = COMPAT_NAMES.find((one) => one === word)
  if (name !== undefined) return [name]
  return Object.hasOwn(CLIENT_PROFILES, word) ? CLIENT_PROFILES[word as ClientName].needs : undefined
}
