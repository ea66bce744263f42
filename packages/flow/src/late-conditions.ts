import type { Design } from './design.ts'

/** What is assigned when a room begins: the orders alone where conditions come later. */
export const openingDesign = (design: Design): Design =>
  design.isLate ? only(design, ({ blockId }) => blockId !== null) : design

/** What is assigned to one person later. */
export const lateDesign = (design: Design): Design => only(design, ({ blockId }) => blockId === null)

const only = (design: Design, isMeant: (factor: Design['factors'][number]) => boolean): Design => ({
  ...design,
  factors: design.factors.filter(isMeant),
  // Late conditions are balanced apart from the orders, so no group has both.
  groups: design.groups.filter((group) => group.every(isMeant)),
})
