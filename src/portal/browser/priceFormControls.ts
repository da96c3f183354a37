import type { Decimal } from "../../domain/values/decimal.ts";
import type { AuctionMessages } from "../auctions/auctionMessages.ts";
import { type AuctionScreen, textsOf } from "../auctions/auctionScreen.ts";
import { needsConfirmation, renderConfirmation, steppedPrice, wordsOf } from "../auctions/ownPart.ts";
import { parseTypedAmount } from "../auctions/priceForm.ts";
import { elementById, inputById, setText } from "./elements.ts";

/** The bidder's form: price in words, steps, confirmation, and sending it to the API instead of the server's form address. */

const AMOUNT = "bid-amount-input";
/** A bidder whose request gets no response must be able to try again within the turn. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** How a request of the form ended: accepted, refused by a rule, or without a response. */
type FormOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly rule: string }
  | { readonly kind: "unreachable" };

/**
 * Makes the form live. `currentScreen` returns the present state. Listeners are on the whole part, because its content is replaced
 * whenever the bidder's state changes; call the returned function after that.
 */
export function openPriceForm(currentScreen: () => AuctionScreen): { readonly refresh: () => void } {
  const part = elementById("auction-own");
  let typed = inputById(AMOUNT)?.value ?? "";
  let isSending = false;

  const showTyped = () => {
    const screen = currentScreen();
    setText("bid-amount-words", wordsOf(screen, typed));
    showConfirmation(screen, typed);
  };
  const setTyped = (text: string) => {
    typed = text;
    const input = inputById(AMOUNT);
    if (input) input.value = text;
    showError("");
    showTyped();
  };
  part.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.id !== AMOUNT) return;
    typed = target.value;
    showError("");
    showTyped();
  });
  part.addEventListener("reset", (event) => {
    event.preventDefault();
    setTyped("");
    inputById(AMOUNT)?.focus();
  });
  part.addEventListener("click", (event) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const steps = target?.dataset.steps;
    const { view } = currentScreen();
    if (steps !== undefined && view.own?.highestAllowed)
      setTyped(steppedPrice(typed, Number(steps), view.own.highestAllowed, view.rules.minimalStep));
    if (target?.id !== "edit-bid-button") return;
    event.preventDefault();
    setTyped(view.own?.unpublished?.amount ?? typed);
    inputById(AMOUNT)?.focus();
    inputById(AMOUNT)?.select();
  });
  part.addEventListener("submit", (event) => {
    event.preventDefault();
    // A second press would place the same price again, with a later time, which counts between equal prices.
    if (isSending) return;
    isSending = true;
    const isTakingBack = event.target instanceof HTMLFormElement && event.target.id === "take-back-form";
    const sent = isTakingBack ? takeBack(currentScreen()) : place(currentScreen(), typed);
    sent
      .then((isAccepted) => isAccepted && !isTakingBack && setTyped(""), console.error)
      .finally(() => {
        isSending = false;
      });
  });

  const refresh = () => {
    const steps = document.getElementById("bid-steps");
    if (steps) steps.hidden = false;
    const input = inputById(AMOUNT);
    if (!input) typed = "";
    else if (input.value !== typed) setTyped(typed);
  };
  refresh();
  return { refresh };
}

/** Shows or hides the confirmation, and leaves it alone while it is for the same amount: it may be ticked. */
function showConfirmation(screen: AuctionScreen, typed: string): void {
  const box = document.getElementById("confirm-box");
  const { own } = screen.view;
  if (!box || !own) return;
  const amount = parseTypedAmount(typed);
  const confirmation = renderConfirmation(screen, own, amount);
  if (inputById("bid-confirmed")?.value !== amount || confirmation.markup === "") box.innerHTML = confirmation.markup;
}

const isConfirmed = (amount: Decimal): boolean => {
  const checkbox = inputById("bid-confirmed");
  return checkbox?.checked === true && checkbox.value === amount;
};

function showError(text: string): void {
  setText("bid-error", text);
  const input = inputById(AMOUNT);
  if (text === "") input?.removeAttribute("aria-invalid");
  else input?.setAttribute("aria-invalid", "true");
}

/** Places the typed price. Returns whether it was accepted. */
async function place(screen: AuctionScreen, typed: string): Promise<boolean> {
  const { refusals } = textsOf(screen);
  const amount = parseTypedAmount(typed);
  if (amount === undefined) {
    showError(refusals["price-format"]);
    inputById(AMOUNT)?.focus();
    return false;
  }
  const confirmed = isConfirmed(amount);
  if (screen.view.own && needsConfirmation(amount, screen.view.own) && !confirmed) {
    showError(refusals["price-unconfirmed"]);
    inputById("bid-confirmed")?.focus();
    return false;
  }
  // The amount is exact text: a number of JavaScript could change its digits.
  const body = `{"data":{"amount":${amount}${confirmed ? ',"confirmed":true' : ""}}}`;
  return send(screen, "POST", "/bids", body);
}

async function takeBack(screen: AuctionScreen): Promise<boolean> {
  const isAccepted = await send(screen, "DELETE", "/bids/current");
  if (isAccepted) setText("form-status", textsOf(screen).own.takenBack);
  return isAccepted;
}

async function send(screen: AuctionScreen, method: string, path: string, body?: string): Promise<boolean> {
  const { own: texts, refusals } = textsOf(screen);
  setText("form-status", texts.sending);
  const outcome = await request(screen.apiPath + path, method, body);
  setText("form-status", "");
  if (outcome.kind === "refused") showError(`${texts.refused}. ${refusalText(refusals, outcome.rule)}`);
  else showError(outcome.kind === "unreachable" ? texts.unreachable : "");
  return outcome.kind === "accepted";
}

const refusalText = (refusals: AuctionMessages["refusals"], rule: string): string =>
  Object.entries(refusals).find(([name]) => name === rule)?.[1] ?? refusals.unknown;

async function request(url: string, method: string, body?: string): Promise<FormOutcome> {
  try {
    const response = await fetch(url, {
      method,
      credentials: "same-origin",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      ...(body !== undefined && { body, headers: { "Content-Type": "application/json" } }),
    });
    if (response.ok) return { kind: "accepted" };
    if (response.status >= 500) return { kind: "unreachable" };
    const { errors = [] }: { readonly errors?: readonly { readonly rule?: string }[] } = await response.json();
    return { kind: "refused", rule: errors[0]?.rule ?? "unknown" };
  } catch {
    return { kind: "unreachable" };
  }
}
