import type { JSX } from 'preact'
import { CopyButton } from '../../parts/copy-button.tsx'

const CARDS = [
  ['4111111111111111', 'Approved; its token can be charged again'],
  ['5060995994247093', 'Asks for PIN 1234, then OTP 123456'],
  ['4000000000000002', 'Opens the issuer’s page (3-D Secure), OTP 123456'],
  ['5399838383838381', 'Declined: insufficient funds'],
  ['4242424242424242', 'No response at first; Kobo queries the outcome'],
] as const

export const TestCards = (): JSX.Element => (
  <section class="panel" aria-labelledby="cards">
    <h2 id="cards">Test cards</h2>
    <ul class="rows">
      {CARDS.map(([number, text]) => (
        <li key={number}>
          <span>
            <span class="key">{number.replace(/(\d{4})(?=\d)/g, '$1 ')}</span>
            <br />
            <small class="quiet">{text}</small>
          </span>
          <CopyButton text={number} what={`card ${number}`} />
        </li>
      ))}
    </ul>
    <p class="quiet small">Use any future expiry date and any CVV.</p>
  </section>
)
