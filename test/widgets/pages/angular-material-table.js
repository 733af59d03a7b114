import "zone.js";
import "@angular/compiler";
import "../node_modules/@angular/material/prebuilt-themes/azure-blue.css";
import { Component, provideZoneChangeDetection, ViewChild } from "@angular/core";
import { MatPaginator, MatPaginatorModule } from "@angular/material/paginator";
import { MatTableDataSource, MatTableModule } from "@angular/material/table";
import { bootstrapApplication } from "@angular/platform-browser";

const App = Component({
  selector: "#root",
  imports: [MatTableModule, MatPaginatorModule],
  queries: { paginator: new ViewChild(MatPaginator) },
  template: `
    <div class="mat-elevation-z8">
      <table mat-table [dataSource]="dataSource">
        @for (column of columns; track column) {
          <ng-container [matColumnDef]="column">
            <th mat-header-cell *matHeaderCellDef>{{ column }}</th>
            <td mat-cell *matCellDef="let element">{{ element[column] }}</td>
          </ng-container>
        }
        <tr mat-header-row *matHeaderRowDef="columns"></tr>
        <tr mat-row *matRowDef="let row; columns: columns"></tr>
      </table>
      <mat-paginator [pageSize]="10" [pageSizeOptions]="[5, 10, 20]" showFirstLastButtons></mat-paginator>
    </div>`,
})(
  class {
    columns = ["name", "office", "age"];
    dataSource = new MatTableDataSource([]);

    async ngOnInit() {
      const response = await fetch("/data/people");
      this.dataSource.data = (await response.json()).rows;
    }

    ngAfterViewInit() {
      this.dataSource.paginator = this.paginator;
    }
  },
);

bootstrapApplication(App, { providers: [provideZoneChangeDetection()] });
