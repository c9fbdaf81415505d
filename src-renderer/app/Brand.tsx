export function Brand() {
  return (
    <div className="brand">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M3 1h2v13h2v2H1v-2h2z" />
        <path d="M5 7.6 12.6 .9 15.2 3.9 5 12.9z" />
      </svg>
      <span className="wide">Signalbox</span>
    </div>
  );
}
