import { EVENT_DAYS } from './events.ts'

/** Where a gateway runs: with pretend money, or with real money. */
export type Environment = 'sandbox' | 'live'

const FENCE = '```'

/** What a newcomer reads before the first call, in Markdown. */
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

const INTRODUCTION = `Kobo is a payment gateway for Nigeria: it collects money, keeps account of every kobo, and tells your server what happened.`

const LOG_IN = `## Log in

Exchange your API key and secret key for an access token, and send it with every other call. It is good for an hour; logging in again
revokes nothing.

${FENCE}sh
curl -X POST "$baseUrl/api/v1/auth/login" -u "$apiKey:$secretKey"
${FENCE}

Call from an address on your whitelist, and keep the secret key on your server: it also proves that events come from us.`

const COLLECT = `## Collect a payment

1. **Initialize a transaction** with your own \`paymentReference\`. It is open for 40 minutes.
2. Send the customer to its \`checkoutUrl\`, or ask for **the virtual account** to pay into and show that yourself.
3. Wait for the **event** \`SUCCESSFUL_TRANSACTION\`. To check at any time, ask for the **status of the transaction**.

Deliver the goods when \`paymentStatus\` is \`PAID\` or \`OVERPAID\`, and only then.`

const SEND = `## Send money

1. **Validate the account**: its bank says whose it is.
2. **Send** with that name and your own \`reference\`. Amount and fee leave the wallet's \`availableBalance\` at once.
3. With OTP on, which it is at first, the answer is \`PENDING_AUTHORIZATION\`: **authorise** it with the code that you get by e-mail.
4. Wait for the **event** \`SUCCESSFUL_DISBURSEMENT\` or \`FAILED_DISBURSEMENT\`. Money that failed or came back is in the wallet again.

A transfer that is \`PENDING\` has not failed: ask for its status, and do not send it again under another reference.`

const PAY_IN_SANDBOX = `## Pay in the sandbox

The sandbox has a bank and a clock inside. \`npm run --silent kobo -- credentials\` prints your keys.

- **Be the customer**: \`POST /sandbox/transfers\` pays into any account. When the answer arrives, the payment has arrived.
- **Read your mail**: \`GET /sandbox/inbox\` has the codes that authorise transfers.
- **Let time pass**: \`POST /sandbox/clock/advance\` with \`{"seconds": 2400}\` makes 40 minutes go by, and all that falls due happens.
- **Receive events on your laptop**: \`PUT /sandbox/settings\` with \`{"webhookUrl": "http://localhost:3000/events"}\`. No tunnel is needed.
- **See what was sent**: \`GET /sandbox/events\` lists every event with every attempt; any of them can be sent again.`

const EVENTS_GUIDE = `## Verify events

Each event is a POST of \`{"eventType", "eventData"}\` to your address. The header \`service-signature\` is the HMAC-SHA-512 of the
body under your secret key, in lower-case hex. Compute it over the bytes as they arrived, before parsing:

${FENCE}ts
import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(body: Buffer, signature: string, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
${FENCE}

Answer 200 within 10 seconds, or 401 where the signature is wrong. Until you answer 200 the event is sent again, for about ${EVENT_DAYS} days.
The same event may arrive twice: handle each reference once. Read \`paymentStatus\`: a part payment is an event too.`

const CONVENTIONS = `## Conventions

**Answers.** Every answer has the same envelope. Success is 200, \`requestSuccessful: true\` and the result in \`responseBody\`.

**Errors.** A failure has \`requestSuccessful: false\`, the reason in \`responseMessage\`, a \`responseCode\`, and no \`responseBody\`.
The header \`kobo-refusal\` names the reason for programs, as \`WRONG_OTP\`: decide by it, since messages may be reworded. Each route
lists those that it can answer.

| status | means |
|---|---|
| 400 | the request is malformed; the message names the field |
| 401 | log in again |
| 403 | not from this address, or not permitted |
| 404 | there is no such thing |
| 422 | well-formed, but refused by a rule |
| 429, 503 | wait for \`Retry-After\` seconds, then try again; with \`DATABASE_AWAY\` or \`OUTCOME_UNKNOWN\` under the same \`Idempotency-Key\` or reference, since some of it may have been carried out |
| 500 | our fault; quote the \`x-request-id\` of the answer |

**Unknown fields** are ignored, and named in the header \`kobo-unknown-fields\`: look there when a field seems to do nothing.

**Amounts** are naira with at most two decimals: \`9000\`, \`9000.5\` or \`"9000.50"\` are all fine in a request. Answers hold a number
or decimal text, as each field says.

**Retries.** Any POST may carry an \`Idempotency-Key\`. Within 24 hours the same key with the same body gets the first answer again, byte
for byte, marked \`Idempotent-Replayed: true\`. So after a time-out, simply send the request again.

**Time.** Local times are Lagos (UTC+1, no daylight saving). A text that ends in \`+0000\` or \`Z\` is UTC.

**References** may hold a \`|\`: write it as \`%7C\` in a path.`
