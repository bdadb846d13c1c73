import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  /** Called after the dialog has closed. */
  readonly closed: () => void
  readonly children: (close: () => void) => ComponentChildren
}

/** A modal dialog, open for as long as it is rendered. */
export function Dialog({ title, closed, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={id} onClose={closed}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children(() => dialog.current?.close())}
      </div>
    </dialog>
  )
}

interface DialogButtonProps extends Pick<DialogProps, 'children'> {
  readonly look: string
  readonly label: ComponentChildren
  readonly title: string
}

/** A button that opens a dialog. The dialog exists only while it is open, so it always starts empty. */
export function DialogButton({ look, label, title, children }: DialogButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button class={look} type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} closed={() => setOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  )
}

interface ConfirmButtonProps extends Pick<DialogButtonProps, 'look' | 'label' | 'title'> {
  /** The consequence, in a sentence. */
  readonly text: ComponentChildren
  /** The text of the button that runs the action. */
  readonly confirm: string
  readonly act: () => void
}

/** A button that asks for confirmation before it runs its action. */
export const ConfirmButton = ({ text, confirm, act, ...button }: ConfirmButtonProps): JSX.Element => (
  <DialogButton {...button}>
    {(close) => (
      <>
        <p class="quiet">{text}</p>
        <div class="buttons beside">
          <button class="button plain" type="button" onClick={close}>
            Cancel
          </button>
          <button
            class="button danger"
            type="button"
            onClick={() => {
              close()
              act()
            }}
          >
            {confirm}
          </button>
        </div>
      </>
    )}
  </DialogButton>
)
