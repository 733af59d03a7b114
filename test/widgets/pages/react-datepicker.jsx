import "react-datepicker/dist/react-datepicker.css";
import { useState } from "react";
import DatePicker from "react-datepicker";
import { show, useRecords } from "./shared/react.jsx";

const dayOf = (date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

show(() => {
  const [date, setDate] = useState(new Date(2026, 3, 1));
  return (
    <>
      <label>
        Day <DatePicker selected={date} onChange={setDate} />
      </label>
      <ul id="list">
        {useRecords(`/data/events?date=${dayOf(date)}`).map(({ id, name, date: day }) => (
          <li className="event" key={id}>
            <b>{name}</b> <i>{day}</i>
          </li>
        ))}
      </ul>
    </>
  );
});
