import { Component, type RefObject } from 'react'

interface Props {
  within: RefObject<HTMLElement | null>
  /** What is shown, one object for each part. */
  parts: readonly object[]
}

interface Anchor {
  element: Element
  top: number
}

/**
 * R61: keeps the question that somebody is at where it is on the screen when something above it appears or disappears. Some browsers
 * do so by themselves, but not at the top of a page, and Safari not at all. A class, because only a class can measure the page as it
 * is before React changes it.
 */
export class SteadyPlace extends Component<Props> {
  #touched: Element | null = null
  #note = ({ target }: Event): void => {
    this.#touched = target instanceof Element ? target.closest('.component') : null
  }

  override componentDidMount(): void {
    for (const name of touches) this.props.within.current?.addEventListener(name, this.#note, true)
  }

  override componentWillUnmount(): void {
    for (const name of touches) this.props.within.current?.removeEventListener(name, this.#note, true)
  }

  override getSnapshotBeforeUpdate({ parts }: Props): Anchor | null {
    const now = this.props.parts
    if (now.length === parts.length && now.every((one, at) => one === parts[at])) return null
    const candidates = [this.#touched, ...(this.props.within.current?.querySelectorAll('.component') ?? [])]
    const element = candidates.find((one) => one && isOnScreen(one))
    return element ? { element, top: element.getBoundingClientRect().top } : null
  }

  override componentDidUpdate(_props: Props, _state: unknown, anchor: Anchor | null): void {
    if (!anchor?.element.isConnected) return
    const moved = anchor.element.getBoundingClientRect().top - anchor.top
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
  }

  override render() {
    return null
  }
}

/** Safari does not give the focus to what is pressed. */
const touches = ['focusin', 'pointerdown'] as const

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return element.isConnected && bottom > 0 && top < innerHeight
}
