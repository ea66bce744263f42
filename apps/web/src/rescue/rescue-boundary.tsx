import { Component, type ReactNode } from 'react'

interface RescueProps {
  children: ReactNode
  /** What stands in its place. */
  instead: ReactNode
  onFailure?(error: Error): void
}

/** Keeps a part of the page that fails while it is drawn from taking the rest with it. A class, because React has no other way. */
export class RescueBoundary extends Component<RescueProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error): void {
    this.props.onFailure?.(error)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}
