import { type Checkout, type Model, screenOf } from './model.ts'

/** The one model of the page. Whatever changes it paints the page anew. */
export interface Store {
  readonly model: () => Model
  readonly change: (changes: Partial<Model>) => void
}

/** What the payer's actions work on: the model, and the gateway's side of it. */
export interface CheckoutContext extends Store {
  /** Which payment it is. */
  readonly params: { readonly checkoutReference: string }
  /** Takes in what the gateway says of the payment. */
  readonly learn: (checkout: Checkout) => void
  /** Asks what has become of it. */
  readonly look: () => Promise<void>
}

export function openStore(first: Model, paint: (model: Model) => void): Store {
  let model = first
  return {
    model: () => model,
    change: (changes) => {
      const before = screenOf(model)
      model = { ...model, ...changes }
      paint(model)
      // Who uses a keyboard or a screen reader goes on where the new screen begins, not where the old one ended.
      if (before !== screenOf(model)) document.getElementById('panel')?.focus({ preventScroll: true })
    },
  }
}
