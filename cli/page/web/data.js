// SPDX-License-Identifier: Apache-2.0
// Documents: from the server, or from the page itself if it is a report.

const inside = document.getElementById("documents");
const documents = inside ? JSON.parse(inside.textContent) : null;

export const isReport = documents !== null;

function address(name, study, query) {
  const path = study == null ? name : study + "/" + name;
  const words = Object.entries(query || {}).map(([key, value]) =>
    key + "=" + encodeURIComponent(value));
  return words.length ? path + "?" + words.join("&") : path;
}

// What a report holds, or null.
export function held(name, study, query) {
  return documents[address(name, study, query)] ?? null;
}

// The document, or null if a report does not hold it.
export async function load(name, study, query) {
  const path = address(name, study, query);
  if (isReport) return held(name, study, query);
  const answer = await fetch("/api/" + path, {cache: "no-store"});
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

// Calls `changed` at each change of a study, at most once a second, and
// `state` when the connection is lost or found.
export function follow(changed, state) {
  if (isReport) return;
  let due = null, last = 0;
  const source = new EventSource("/events");
  source.onmessage = () => {
    if (due) return;
    const wait = Math.max(0, last + 1000 - Date.now());
    due = setTimeout(() => {
      due = null;
      last = Date.now();
      changed();
    }, wait);
  };
  source.onopen = () => state(true);
  source.onerror = () => state(false);
}
