import { type RefObject, useId, useRef } from 'react'

interface AskFirstProps {
  /** Opens the dialog: `asked.current?.showModal()`. */
  asked: RefObject<HTMLDialogElement | null>
  words: { title: string; message: string; stay: string; confirm: string }
  onConfirm(): void
}

/** A step that cannot be taken back is asked about once. Staying is the first choice, and what Escape means. */
export function AskFirst({ asked, words, onConfirm }: AskFirstProps) {
  const id = useId()
  const close = () => asked.current?.close()
  return (
    <dialog ref={asked} aria-labelledby={id} className="ask-first">
      <h2 id={id}>{words.title}</h2>
      <p>{words.message}</p>
      {/* No form: a dialog may stand in the form of a state, which these buttons must not submit. */}
      <div className="choices">
        <button type="button" className="button" onClick={close}>
          {words.stay}
        </button>
        <button
          type="button"
          className="button is-quiet"
          onClick={() => {
            close()
            onConfirm()
          }}
        >
          {words.confirm}
        </button>
      </div>
    </dialog>
  )
}

export const useAsked = (): RefObject<HTMLDialogElement | null> => useRef<HTMLDialogElement>(null)
