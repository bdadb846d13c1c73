// Loads the inline checkout into a page, and declares its types. Browsers load only this file and the script.

/** The options of `initialize`. */
export interface InitializeOptions {
  readonly amount: number | string
  readonly currency?: string
  /** The merchant's own reference. The same reference reopens an unfinished payment. */
  readonly reference: string
  readonly customerFullName?: string
  readonly customerName?: string
  readonly customerEmail: string
  /** The public key. Never put the secret key on a page. */
  readonly apiKey: string
  readonly contractCode: string
  readonly paymentDescription?: string
  readonly metadata?: object
  readonly metaData?: object
  readonly incomeSplitConfig?: readonly object[]
  readonly paymentMethods?: readonly string[]
  /** Passed to `onClose`. The script itself does not redirect. */
  readonly redirectUrl?: string
  /** Your server's signature: required for splits, and for references without the prefix that pages may use. */
  readonly signature?: string
  /** The checkout's language, e.g. `pcm`. */
  readonly language?: string
  readonly onLoadStart?: () => void
  readonly onLoadComplete?: () => void
  /** Called once when the money has arrived. Verify it on your server before you deliver. */
  readonly onComplete?: (response: CompleteResponse) => void
  /** Called once if the checkout did not open: rejected by the gateway, or unreachable. */
  readonly onError?: (error: ErrorData) => void
  /** Called once when the checkout closes, whatever the outcome. */
  readonly onClose?: (data: CloseData) => void
}

export interface CompleteResponse {
  readonly paymentStatus: string
  readonly completed: boolean
  readonly transactionReference: string
  readonly paymentReference: string
  readonly paymentMethod: string | null
  readonly paymentDescription: string | null
  readonly currencyCode: string
  readonly amount: number
  readonly amountPaid: number
  readonly payableAmount: number
  readonly completedOn: string | null
  readonly createdOn: string
  readonly fee: number
  readonly customerName: string | null
  readonly customerEmail: string
  readonly metaData: object
}

/** Why the checkout did not open, for the page's developer. The customer sees one of our own texts. */
export interface ErrorData {
  readonly code: string
  readonly message: string
  readonly paymentReference: string
}

export interface CloseData {
  readonly paymentStatus: string
  readonly responseCode: string
  readonly responseMessage: string
  readonly transactionReference: string | null
  readonly paymentReference: string
  readonly authorizedAmount: number
  readonly redirectUrl: string | null
}

/** The inline checkout. */
export interface Kobo {
  /** Opens the checkout over the page; does nothing if one is already open. */
  readonly initialize: (options: InitializeOptions) => void
}

export interface LoadOptions {
  /** The gateway's URL. */
  readonly baseUrl: string
  /** The script's path; a path with a hash pins one version. */
  readonly path?: string | undefined
  /** The hash that the browser checks the script against. */
  readonly integrity?: string | undefined
}

/** The parts of a browser that we use. They are declared here, because the SDK is compiled without browser types. */
interface Browser {
  readonly KoboSDK?: Kobo
  readonly document?: {
    readonly head: { readonly append: (element: object) => void }
    readonly createElement: (name: 'script') => object
  }
}

const loading = new Map<string, Promise<Kobo>>()

/** Loads the inline checkout once per URL. A failed load can be retried. Browser only. */
export function loadKobo({ baseUrl, path = '/plugin/checkout.js', integrity }: LoadOptions): Promise<Kobo> {
  const src = baseUrl.replace(/\/+$/, '') + path
  let found = loading.get(src)
  if (!found) {
    found = new Promise((resolve, reject) => {
      const browser = globalThis as Browser
      const fail = (why: string): void => {
        loading.delete(src)
        reject(new Error(why))
      }
      if (!browser.document) return fail('loadKobo works only in a browser')
      const script = Object.assign(browser.document.createElement('script'), {
        src,
        onerror: () => fail(`Cannot load ${src}`),
        onload: () => (browser.KoboSDK ? resolve(browser.KoboSDK) : fail(`${src} is not Kobo's script`)),
      })
      if (integrity) Object.assign(script, { integrity, crossOrigin: 'anonymous' })
      browser.document.head.append(script)
    })
    loading.set(src, found)
  }
  return found
}
