import { useState } from 'react'

interface Chosen<Item, Action> {
  item: Item
  action: Action
  /** Where the focus belongs once the dialog is closed. */
  opener: HTMLElement | null
}

/** What was chosen to be done with one of many things, in a dialog. */
export function useChosen<Item, Action>() {
  const [chosen, setChosen] = useState<Chosen<Item, Action>>()
  const [isOpen, setIsOpen] = useState(false)
  return {
    /** Stays while the dialog closes, so that its content does not vanish before it does. */
    chosen,
    isOpen,
    open(next: Chosen<Item, Action>): void {
      setChosen(next)
      setIsOpen(true)
    },
    close(): void {
      setIsOpen(false)
      // The dialog was not there before it opened, so it does not know where the focus was.
      chosen?.opener?.focus({ preventScroll: true })
    },
  }
}
