'use client'

import { createElement, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { type InitializeOptions, type Kobo, type LoadOptions, loadKobo } from './inline.ts'

/** The inline checkout in a component. */
export interface KoboCheckout {
  /** False until the script is loaded, and on the server. */
  readonly isReady: boolean
  /** Why the script could not be loaded. */
  readonly error: Error | undefined
  /** Opens the checkout; does nothing until it is ready. */
  readonly open: (options: InitializeOptions) => void
}

/** Loads the inline checkout. */
export function useKobo({ baseUrl, path, integrity }: LoadOptions): KoboCheckout {
  const [state, setState] = useState<{ readonly kobo?: Kobo; readonly error?: Error }>({})
  useEffect(() => {
    let isCurrent = true
    const set = (next: typeof state): void => {
      if (isCurrent) setState(next)
    }
    loadKobo({ baseUrl, path, integrity }).then(
      (kobo) => set({ kobo }),
      (error: Error) => set({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [baseUrl, path, integrity])
  const { kobo, error } = state
  return { isReady: kobo !== undefined, error, open: (options) => kobo?.initialize(options) }
}

export interface KoboButtonProps extends LoadOptions {
  /** The payment, or a function that asks your server for it when the button is clicked. */
  readonly checkout: InitializeOptions | (() => Promise<InitializeOptions>)
  readonly className?: string
  readonly children?: ReactNode
}

/** A button that opens the checkout. */
export function KoboButton({ checkout, className, children = 'Pay', ...load }: KoboButtonProps): ReactElement {
  const { isReady, open } = useKobo(load)
  const [isBusy, setBusy] = useState(false)
  const onClick = async (): Promise<void> => {
    setBusy(true)
    try {
      open(typeof checkout === 'function' ? await checkout() : checkout)
    } finally {
      setBusy(false)
    }
  }
  return createElement('button', { type: 'button', className, disabled: !isReady || isBusy, onClick }, children)
}
