import { byId } from "./dom.js";

const isOpen = (view) => !byId(`tab-${view}`).hidden;

/**
 * Tabs for sections of the page: `#tab-NAME` shows `#NAME`. `onShow` gets the name of the view that the
 * user chooses; `draw` shows one, or the first if there is no such view.
 */
export function createTabs(views, onShow) {
  let drawn;

  function show(view) {
    if (isOpen(view)) onShow(view);
  }

  function draw(wanted) {
    const view = views.includes(wanted) && isOpen(wanted) ? wanted : views[0];
    for (const each of views) {
      byId(each).hidden = each !== view;
      byId(`tab-${each}`).setAttribute("aria-selected", String(each === view));
      byId(`tab-${each}`).tabIndex = each === view ? 0 : -1;
    }
    const isNew = drawn !== view;
    drawn = view;
    return isNew ? view : undefined;
  }

  for (const view of views) byId(`tab-${view}`).addEventListener("click", () => show(view));
  byId(`tab-${views[0]}`).parentElement.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const open = views.filter(isOpen);
    const next = open[(open.indexOf(drawn) + by + open.length) % open.length];
    show(next);
    byId(`tab-${next}`).focus();
  });
  return { show, draw };
}
