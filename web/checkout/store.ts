import { type Checkout, type Model, screenOf } from './model.ts'

/** Holds the page's model and renders the page after each change. */
export interface Store {
  readonly model: () => Model
  readonly change: (changes: Partial<Model>) => void
}

/** The model and the gateway's updates to it. */
export interface CheckoutContext extends Store {
  readonly params: { readonly checkoutReference: string }
  /** Applies the gateway's state of the payment. */
  readonly update: (checkout: Checkout) => void
  /** Fetches the current state. */
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
      // Moves the focus to the new screen, for keyboard and screen reader users.
      if (before !== screenOf(model)) document.getElementById('panel')?.focus({ preventScroll: true })
    },
  }
}
