import { EVENT_DAYS } from './events.ts'

/** The environment of a gateway: simulated money or real money. */
export type Environment = 'sandbox' | 'live'

const FENCE = '```'

/** The introduction of the API reference, in Markdown. */
export const guide = (environment: Environment): string =>
  [
    INTRODUCTION,
    LOG_IN,
    COLLECT,
    SEND,
    ...(environment === 'sandbox' ? [PAY_IN_SANDBOX] : []),
    EVENTS_GUIDE,
    CONVENTIONS,
  ].join('\n\n')

const INTRODUCTION = `Kobo is a payment gateway for Nigeria. Its API is compatible with Monnify's. It collects payments, sends payouts, keeps a ledger of every kobo, and notifies your server of every change. To take one payment step by step, follow [First payment](/docs/guides/first-payment).`

const LOG_IN = `## Log in

Exchange your API key and secret key for an access token, and send it with every other request. It is valid for an hour. A new login
does not revoke earlier tokens.

${FENCE}sh
curl -X POST "$baseUrl/api/v1/auth/login" -u "$apiKey:$secretKey"
${FENCE}

The samples use shell variables: \`baseUrl\` is the gateway's address, such as \`http://localhost:8080\`; \`token\` is the \`accessToken\` of this response; the rest are your keys.
[First payment](/docs/guides/first-payment#get-your-keys) sets them all. Other variables, such as \`transactionReference\`, are values of earlier responses.

Call from an address on your IP whitelist, and keep the secret key on your server: it also verifies that events come from us.
Give other servers a restricted key from the dashboard: it logs in the same way, and reaches only the routes of its scopes.`

const COLLECT = `## Collect a payment

1. [Initialize a transaction](/docs/reference/transactions#initTransaction) with your own \`paymentReference\`. It is open for 40 minutes.
2. Redirect the customer to its \`checkoutUrl\`, or get [the virtual account](/docs/reference/bank-transfer#initBankTransfer) to pay into and show it yourself.
3. Wait for the \`SUCCESSFUL_TRANSACTION\` [event](/docs/guides/webhooks). To check at any time, get the
   [status of the transaction](/docs/reference/transactions#getTransaction).

Deliver the goods only when \`paymentStatus\` is \`PAID\` or \`OVERPAID\`.`

const SEND = `## Send money

1. [Validate the account](/docs/reference/transfers#validateAccount): the bank returns the name of its holder.
2. [Send](/docs/reference/transfers#initiateTransfer) with that name and your own \`reference\`. The amount and fee leave the wallet's \`availableBalance\` at once.
3. With OTP on (the default), the response is \`PENDING_AUTHORIZATION\`: [authorize](/docs/reference/transfers#authorizeTransfer) the transfer with the code we send you by email.
4. Wait for the \`SUCCESSFUL_DISBURSEMENT\` or \`FAILED_DISBURSEMENT\` [event](/docs/guides/webhooks). Money that failed or was returned is back in the wallet.

A \`PENDING\` transfer has not failed: query its status, and never send it again with another reference.`

const PAY_IN_SANDBOX = `## Pay in the sandbox

The sandbox comes with a simulated bank, an inbox and a clock. \`./kobo credentials\` prints your keys.

- **Pay as the customer**: \`POST /sandbox/transfers\` pays into any account. The payment is complete when the response arrives.
- **Read your email**: \`GET /sandbox/inbox\` has the codes that authorize transfers.
- **Move the clock forward**: \`POST /sandbox/clock/advance\` with \`{"seconds": 2400}\` skips 40 minutes and runs everything that becomes due.
- **Receive events on your laptop**: \`PUT /sandbox/settings\` with \`{"webhookUrl": "http://localhost:3000/events"}\`. No tunnel is needed.
- **See what was sent**: \`GET /sandbox/events\` lists every event with every attempt. You can resend any of them.`

const EVENTS_GUIDE = `## Verify events

Each event is a POST of \`{"eventType", "eventData"}\` to your webhook URL. The \`service-signature\` header is the HMAC-SHA-512 of the
body with your secret key, in lower-case hex. Compute it over the raw bytes, before parsing:

${FENCE}ts
import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(body: Buffer, signature: string, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
${FENCE}

Return 200 within 10 seconds, or 401 if the signature is wrong. We retry until you return 200, for about ${EVENT_DAYS} days.
The same event may arrive twice: process each reference once. Check \`paymentStatus\`: partial payments raise the event too.`

const CONVENTIONS = `## Conventions

**Responses.** Every response has the same envelope. Success is 200, with \`requestSuccessful: true\` and the result in \`responseBody\`.

**Errors.** An error has \`requestSuccessful: false\`, the reason in \`responseMessage\`, a \`responseCode\`, and no \`responseBody\`.
The \`kobo-refusal\` header has a stable error code such as \`WRONG_OTP\`. Check the code in programs, because messages may be reworded.
Each route lists its error codes.

| status | meaning |
|---|---|
| 400 | the request is malformed; the message names the field |
| 401 | the access token is missing, invalid or expired: log in again |
| 403 | the IP address is not on the whitelist, or a permission is missing |
| 404 | not found |
| 422 | well-formed, but rejected by a business rule |
| 429, 503 | wait \`Retry-After\` seconds, then retry. After \`DATABASE_AWAY\` or \`OUTCOME_UNKNOWN\`, retry with the same \`Idempotency-Key\` or reference, because some of it may have been executed |
| 500 | an error on our side; quote the \`x-request-id\` of the response |

**Unknown fields** are ignored and listed in the \`kobo-unknown-fields\` header: check it if a field seems to have no effect.

**Amounts** are naira with at most two decimals: requests may send \`9000\`, \`9000.5\` or \`"9000.50"\`. Responses have a number
or a decimal string, as each field says.

**Retries.** Any POST may have an \`Idempotency-Key\` header. For 24 hours, the same key with the same body returns the first response, byte
for byte, with \`Idempotent-Replayed: true\`. So after a timeout, simply retry the request.

**Time.** Local times are Lagos time (UTC+1, no daylight saving). Times that end in \`+0000\` or \`Z\` are UTC.

**References** may contain \`|\`: encode it as \`%7C\` in a path.`
