import { mailRefusals } from '@kobo/contract'
import { changed, refusals } from '../../kernel/errors.ts'
import type { Share, SharedLimit } from '../security/limits.ts'

const errors = refusals(mailRefusals)

const DAY_SECONDS = 86_400
const LIMITS = {
  ofMerchant: { name: 'mails of merchant', max: 1_000, seconds: DAY_SECONDS },
  toRecipient: { name: 'mails to recipient', max: 10, seconds: DAY_SECONDS },
} as const satisfies Readonly<Record<string, Share>>

/**
 * Mails that a merchant sends to any address from the operator's domain. Their number is limited, and they contain no
 * links but ours.
 */
export interface CustomerMails {
  /** Rejects a field that contains a web address, and mails beyond the limit; otherwise counts the mail. */
  readonly check: (
    merchantId: bigint,
    recipient: string,
    texts: Readonly<Record<string, string | null>>,
  ) => Promise<void>
}

/** Texts that mail programs turn into a link: an address with a scheme, and names that end like common domains. */
const WEB_ADDRESS =
  /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S*|(?<![@\w.-])(?:[\p{L}\p{N}-]+\.)+(?:[a-z]{2,}[/?#:]\S*|(?:com|net|org|info|biz|ng|io|co|me|app|dev|xyz|top|site|online|shop|store|link|click|live|africa|ly|to|example)(?![\p{L}\p{N}]))/iu

export function openCustomerMails(openSharedLimit: (share: Share) => SharedLimit): CustomerMails {
  const [ofMerchant, toRecipient] = [openSharedLimit(LIMITS.ofMerchant), openSharedLimit(LIMITS.toRecipient)]
  const reject = (seconds: number | undefined, max: number, whom: string): void => {
    if (seconds === undefined) return
    throw changed(errors.tooMany(max, whom), { headers: { 'retry-after': String(seconds) } })
  }
  return {
    check: async (merchantId, recipient, texts) => {
      for (const [field, text] of Object.entries(texts)) {
        const [address] = WEB_ADDRESS.exec(text ?? '') ?? []
        if (address !== undefined) throw errors.webAddress(field, address)
      }
      reject(await toRecipient.count(recipient.toLowerCase()), LIMITS.toRecipient.max, 'this address')
      reject(await ofMerchant.count(String(merchantId)), LIMITS.ofMerchant.max, 'your customers')
    },
  }
}
