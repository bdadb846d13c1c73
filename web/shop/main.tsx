/// <reference path="../plugin/main.ts" />
import { type JSX, render } from 'preact'
import { browserNow } from '../ui/clock.ts'
import { Logo } from '../ui/icons.tsx'
import { naira } from '../ui/money.ts'

interface ShopPage {
  readonly shopName: string | null
  readonly apiKey: string | null
  readonly contractCode: string | null
}

interface Product {
  readonly name: string
  readonly note: string
  readonly price: number
  /** Its drawing, as an SVG path. */
  readonly path: string
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'Ankara tote bag',
    note: 'Cotton print from Abeokuta',
    price: 7_500,
    path: 'M14 24h36l4 32H10l4-32ZM22 24v-6a10 10 0 0 1 20 0v6M20 36l12 10 12-10M20 48l12-10 12 10',
  },
  {
    name: 'Talking drum',
    note: 'Small, goat skin, from Oyo',
    price: 32_000,
    path: 'M16 12h32M16 52h32M18 12c0 14 10 12 10 20S18 38 18 52M46 12c0 14-10 12-10 20s10 6 10 20M24 14l4 18-4 18M40 14l-4 18 4 18M32 13v38',
  },
  {
    name: 'Zobo, six bottles',
    note: 'Hibiscus, ginger, clove',
    price: 4_250.5,
    path: 'M26 8h12v10l6 10v26a4 4 0 0 1-4 4H24a4 4 0 0 1-4-4V28l6-10V8ZM20 34h24M32 40v12M26 46h12',
  },
]

const page = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as ShopPage
const root = document.getElementById('app') as HTMLElement

interface Callback {
  readonly name: string
  readonly detail: string
}
let callbacks: readonly Callback[] = []
let thanks: string | null = null

function logCallback(name: string, detail: unknown = ''): void {
  callbacks = [...callbacks, { name, detail: detail === '' ? '' : JSON.stringify(detail, null, 2) }]
  paint()
}

function buy({ name, price }: Product): void {
  callbacks = []
  thanks = null
  paint()
  window.KoboSDK.initialize({
    amount: price,
    currency: 'NGN',
    reference: `shop-${browserNow()}`,
    customerFullName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    apiKey: page.apiKey ?? '',
    contractCode: page.contractCode ?? '',
    paymentDescription: name,
    metadata: { product: name },
    onLoadStart: () => logCallback('onLoadStart'),
    onLoadComplete: () => logCallback('onLoadComplete'),
    onComplete: (response) => {
      thanks = name
      logCallback('onComplete', response)
    },
    onClose: (data) => logCallback('onClose', data),
  })
}

const CODE = `<script src="${location.origin}/plugin/checkout.js"></script>
<script>
  KoboSDK.initialize({
    amount: 7500,
    currency: 'NGN',
    reference: 'your-own-reference',
    customerFullName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    apiKey: '${page.apiKey}',
    contractCode: '${page.contractCode}',
    paymentDescription: 'Ankara tote bag',
    // verify the payment on your server
    onComplete: (response) => {},
    onClose: (data) => {},
  })
</script>`

const Shop = (): JSX.Element => (
  <main class="shop">
    <header>
      <p class="badge">Sandbox: no real money moves</p>
      <h1>{page.shopName ?? 'No merchant yet'}</h1>
      <p class="quiet">A shop that uses the inline checkout. Buy something and watch the callbacks.</p>
      <p class="quiet">
        Pay by bank transfer with the simulator, or with the card <span class="number">4111 1111 1111 1111</span>, any
        future date and any CVV. <a href="/docs/guides/testing#cards">More test cards</a>
      </p>
    </header>
    {thanks !== null && (
      <p class="notice" role="status">
        <b>Thank you!</b> Your {thanks} will ship soon.
      </p>
    )}
    <ul class="products">
      {PRODUCTS.map((product) => (
        <li key={product.name} class="slip">
          <svg aria-hidden="true" viewBox="0 0 64 64" fill="none" stroke="currentColor" stroke-width="2">
            <path d={product.path} stroke-linecap="round" stroke-linejoin="round" />
          </svg>
          <div class="product">
            <h2>{product.name}</h2>
            <p class="quiet small">{product.note}</p>
            <p class="price number">{naira(product.price)}</p>
            <button type="button" class="button" disabled={page.apiKey === null} onClick={() => buy(product)}>
              Buy<span class="unseen"> {product.name}</span>
            </button>
          </div>
        </li>
      ))}
    </ul>
    <section class="behind">
      <div>
        <h2>Code on this page</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
        <pre tabIndex={0}>{CODE}</pre>
      </div>
      <div>
        <h2>Callbacks</h2>
        <ol class="callbacks" aria-live="polite">
          {callbacks.length === 0 && <li class="quiet">None yet.</li>}
          {callbacks.map(({ name, detail }) => (
            <li key={name}>
              <b>{name}</b>
              {detail !== '' && <pre>{detail}</pre>}
            </li>
          ))}
        </ol>
      </div>
    </section>
    <footer class="foot">
      <a href="/">Start page</a>
      <a href="/simulator">Bank simulator</a>
      <a href="/docs">API reference</a>
      <span class="brand">
        <Logo /> Kobo
      </span>
    </footer>
  </main>
)

const paint = (): void => render(<Shop />, root)
paint()
